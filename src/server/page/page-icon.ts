const icon = (mark: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><g fill="#3b7a57"><ellipse cx="16" cy="25" rx="12" ry="5"/><ellipse cx="16.5" cy="15.5" rx="8.5" ry="4.2"/><ellipse cx="15.5" cy="7.5" rx="5" ry="3.4"/></g>${mark}</svg>`;

/** Three stones on each other. */
export const PAGE_ICON = icon("");

export const PAGE_ICON_WAITING = icon('<circle cx="25" cy="7" r="7" fill="#d9730d"/>');
