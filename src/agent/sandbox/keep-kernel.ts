/** Files through which root changes the kernel, whatever capabilities were dropped. */
const OF_KERNEL = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"];

/**
 * Extends bubblewrap's command: closes shared memory and queues, and kernel settings, which root
 * can write without a capability. Throws if the command has an unknown form.
 */
export function keepKernel(wrapped: string): string {
  const end = wrapped.indexOf(" -- ");
  const isKnown = end !== -1 && wrapped.lastIndexOf(" --proc /proc ", end) !== -1;
  if (!isKnown) throw new Error("The sandbox begins commands in a way that is not known.");
  const readOnly = OF_KERNEL.map((path) => ` --ro-bind-try ${path} ${path}`).join("");
  return `${wrapped.slice(0, end)} --unshare-ipc${readOnly}${wrapped.slice(end)}`;
}
