export function MapLegend() {
  return (
    <ul class="map-legend" aria-label="What the colours mean">
      {["concept", "episode", "entity"].map((kind) => (
        <li key={kind}>
          <span class="map-dot" data-color={kind} aria-hidden="true" />
          {kind}
        </li>
      ))}
      <li>
        <span class="map-dash" data-color="line" aria-hidden="true" />
        no longer holds
      </li>
      <li>
        <span class="map-arrow" data-color="accent" aria-hidden="true">
          →
        </span>
        of the selected
      </li>
      <li class="unseen" aria-hidden="true">
        <span data-color="surface" />
        <span data-color="text" />
      </li>
    </ul>
  );
}
