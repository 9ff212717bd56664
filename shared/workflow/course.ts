/** The ways a request takes. `plain`: at once, under the approval mode. All others begin with a signed plan. */
export const COURSES = ['plain', 'plan', 'test-first', 'review'] as const

export type Course = (typeof COURSES)[number]

/** What the agent is told with the signed plan; empty: nothing. */
export const COURSE_RULES: Readonly<Record<Course, string>> = {
  plain: '',
  plan: '',
  'test-first':
    'The course is test first: write the tests of the plan and run them. Until they have failed once, every change to another file is denied. Then implement, and run them until they pass.',
  review:
    'The course is staged review: mark each step as completed as soon as it is done, alone. The developer then reviews its changes, and only after that may you begin the next step.',
}
