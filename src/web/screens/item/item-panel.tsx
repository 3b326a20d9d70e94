import { Icon } from "../../components/icon.tsx";
import { Link } from "../../components/link.tsx";
import { usePage } from "../../page.ts";
import { ItemView } from "./item-view.tsx";

export function ItemPanel({ id, onClose }: { readonly id: string; onClose(): void }) {
  const { router } = usePage();
  return (
    <aside class="panel" aria-label={`Item ${id}`}>
      <div class="panel-bar">
        <button type="button" class="button narrow-only" onClick={onClose}>
          <Icon name="left" /> Back to the list
        </button>
        <Link class="button quiet" to={router.href({ screen: "item", id })}>
          Open <Icon name="external" />
        </Link>
        <button
          type="button"
          class="icon-button wide-only"
          aria-label="Close the item"
          onClick={onClose}
        >
          <Icon name="close" />
        </button>
      </div>
      <ItemView key={id} id={id} />
    </aside>
  );
}
