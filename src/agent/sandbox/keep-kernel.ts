/** Files by which whoever is root changes the kernel for the whole machine, whatever rights he gave up. */
const OF_KERNEL = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"];

/**
 * The command of bubblewrap with what its library leaves open shut: memory and queues that other programs
 * share by number, and the kernel's settings, which root writes without any capability. Throws where
 * the command does not look like one of the library's.
 */
export function keepKernel(wrapped: string): string {
  const end = wrapped.indexOf(" -- ");
  const isKnown = end !== -1 && wrapped.lastIndexOf(" --proc /proc ", end) !== -1;
  if (!isKnown) throw new Error("The sandbox begins commands in a way that is not known.");
  const readOnly = OF_KERNEL.map((path) => ` --ro-bind-try ${path} ${path}`).join("");
  return `${wrapped.slice(0, end)} --unshare-ipc${readOnly}${wrapped.slice(end)}`;
}
