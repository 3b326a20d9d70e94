import { render } from "preact";
import { PhoneAccess } from "./phone-access.ts";
import { PhoneApp } from "./phone-app.tsx";

const root = document.getElementById("page");
if (root !== null) {
  const access = new PhoneAccess();
  render(<PhoneApp access={access} />, root);
  await access.begin();
}
