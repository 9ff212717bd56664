/** How long a request must be on the screen before an answer counts, in ms. */
export const ANSWER_DELAY_MS = 300
