/** What a program needs to run at all; keys and the rest a server gets by its `env`. */
const HANDED_ON =
  /^(PATH|PATHEXT|HOME|USER|USERNAME|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|SYSTEMDRIVE|COMSPEC|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USERPROFILE|XDG_[A-Z]+_(DIR|HOME)|DISPLAY|WAYLAND_DISPLAY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|(HTTPS?|ALL|NO)_PROXY)$/i;

/** Of the environment, what the servers of others are started with. */
export function serverEnvironment(
  environment: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => HANDED_ON.test(name)));
}
