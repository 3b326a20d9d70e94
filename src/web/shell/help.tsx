import { ACTION_GROUPS } from "../actions/action.ts";
import { ActionButton } from "../components/action-button.tsx";
import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";

/** All keys, from the registry that also acts on them. */
export function Help({ onClose }: { onClose(): void }) {
  const { actions, session } = usePage();
  const all = actions.all.value.filter(({ keys }) => keys !== undefined);
  return (
    <Dialog title="Keys" class="help" onClose={onClose}>
      <div class="help-groups">
        {ACTION_GROUPS.map((group) => {
          const shown = all.filter((action) => action.group === group);
          if (shown.length === 0) return null;
          return (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {shown.map(({ id, title, keys = [] }) => (
                  <div key={id}>
                    <dt>{title}</dt>
                    <dd>
                      {keys.map((key) => (
                        <kbd key={key}>{key.replace("Mod+", "Ctrl ")}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
      <footer>
        <span class="quiet">cairn {session.server.value?.version}</span>
        <a class="button" href="/docs" target="_blank" rel="noopener">
          REST reference
        </a>
        <ActionButton id="preferences" />
      </footer>
    </Dialog>
  );
}
