import { useLayoutEffect } from "preact/hooks";
import type { Action, Targets } from "../actions/action.ts";
import { usePage } from "../page.ts";

/** Registers the actions of a screen, again on each render, so that their buttons are current. */
export function useScreenActions(actions: readonly Action[]): void {
  const { actions: registry } = usePage();
  useLayoutEffect(() => {
    registry.ofScreen.value = actions;
  });
  useLayoutEffect(
    () => () => {
      registry.ofScreen.value = [];
    },
    [registry],
  );
}

/** Sets the targets of item actions while the component is mounted. */
export function useTargets(targets: Targets): void {
  const { actions: registry } = usePage();
  const key = JSON.stringify(targets);
  useLayoutEffect(() => {
    registry.targets.value = targets;
  }, [registry, key]);
  useLayoutEffect(
    () => () => {
      registry.targets.value = { ids: [], count: 0 };
    },
    [registry],
  );
}
