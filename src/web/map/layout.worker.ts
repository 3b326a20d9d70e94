/** Lays out a map away from the page. */
self.addEventListener("message", () => undefined);
