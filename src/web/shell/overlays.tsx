import { usePage } from "../page.ts";
import { WorkbenchLoader } from "../workbench/workbench-loader.tsx";
import { Help } from "./help.tsx";
import { LabelDialog } from "./label-dialog.tsx";
import { Palette } from "./palette.tsx";
import { PreferencesDialog } from "./preferences-dialog.tsx";
import { TopicDialog } from "./topic-dialog.tsx";

/** The dialog that is open, if one is. */
export function Overlays() {
  const { actions } = usePage();
  const overlay = actions.overlay.value;
  const close = () => {
    if (actions.overlay.peek() === overlay) actions.overlay.value = undefined;
  };
  switch (overlay?.kind) {
    case "palette":
      return <Palette onClose={close} />;
    case "help":
      return <Help onClose={close} />;
    case "preferences":
      return <PreferencesDialog onClose={close} />;
    case "label":
      return <LabelDialog targets={overlay.targets} onClose={close} />;
    case "topic":
      return <TopicDialog targets={overlay.targets} onClose={close} />;
    case "write":
      return (
        <WorkbenchLoader
          key={`${overlay.form} ${overlay.ids.join()}`}
          name={overlay.form}
          ids={overlay.ids}
          onClose={close}
        />
      );
    default:
      return null;
  }
}
