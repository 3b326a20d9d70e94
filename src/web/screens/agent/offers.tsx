import type { Offer } from "../../agent/offered.ts";

interface OffersProps {
  readonly of: readonly Offer[];
  readonly chosen: number;
  onTake(offer: Offer): void;
}

export function Offers({ of, chosen, onTake }: OffersProps) {
  if (of.length === 0) return null;
  return (
    <div id="offers" class="choices offers" role="listbox" aria-label="What could be meant">
      {of.map((offer, index) => (
        <div
          key={offer.title}
          id={`offer-${index}`}
          class="choice"
          role="option"
          tabIndex={-1}
          aria-selected={index === chosen}
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(offer);
          }}
        >
          <span class="choice-title">{offer.title}</span>
          <span class="choice-detail quiet">{offer.detail}</span>
        </div>
      ))}
    </div>
  );
}
