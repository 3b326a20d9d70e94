import { usePage } from "../page.ts";
import { Dialog } from "./dialog.tsx";

export function PreferencesDialog({ onClose }: { onClose(): void }) {
  const { preferences } = usePage();
  const { theme, density, singleKeys } = preferences.choices.value;
  return (
    <Dialog title="Preferences" onClose={onClose}>
      <div class="fields">
        <label>
          Theme
          <select
            value={theme}
            onChange={({ currentTarget }) =>
              preferences.choose({ theme: currentTarget.value as typeof theme })
            }
          >
            <option value="system">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
        <label>
          Density
          <select
            value={density}
            onChange={({ currentTarget }) =>
              preferences.choose({ density: currentTarget.value as typeof density })
            }
          >
            <option value="normal">normal</option>
            <option value="compact">compact</option>
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={singleKeys}
            onChange={({ currentTarget }) =>
              preferences.choose({ singleKeys: currentTarget.checked })
            }
          />
          Single letters act as keys
        </label>
      </div>
    </Dialog>
  );
}
