/** Canonical name of the tool with which an agent asks the person something and ends its turn. */
export const QUESTION_TOOL = 'ask_user_question'
