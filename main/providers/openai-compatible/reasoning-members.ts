/** Names under which servers stream reasoning in the clear, and want it back; the part keeps the name as its signature. */
export const REASONING_MEMBERS: readonly string[] = ['reasoning_content', 'reasoning', 'reasoning_text']
