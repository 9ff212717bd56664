/** How long a request must have been on the screen before an answer counts, in ms (C17). */
export const ARMED_AFTER_MS = 300
