export function Progress({ done, left }: { readonly done: number; readonly left: number }) {
  return (
    <p class="progress">
      <progress max={done + left} value={done} aria-label="Done" />
      <span class="quiet">
        {done} done, {left} left
      </span>
    </p>
  );
}
