interface MapButtonsProps {
  onZoom(factor: number): void;
  onFit(): void;
}

export function MapButtons({ onZoom, onFit }: MapButtonsProps) {
  return (
    <div class="map-buttons">
      <button type="button" class="icon-button" aria-label="Larger" onClick={() => onZoom(1.3)}>
        +
      </button>
      <button type="button" class="icon-button" aria-label="Smaller" onClick={() => onZoom(0.77)}>
        −
      </button>
      <button type="button" class="button" onClick={onFit}>
        Fit
      </button>
    </div>
  );
}
