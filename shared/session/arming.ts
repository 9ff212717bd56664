/** How long a request must be on the screen before an answer counts, in ms. */
export const ARMED_AFTER_MS = 300
