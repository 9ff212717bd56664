/** Canonical name of the tool that asks the person something and ends the turn. */
export const QUESTION_TOOL = 'ask_user_question'
