/**
 * The number of random cases of a test: a tenth of `whole` in `npm test`, all of them in `npm run test:slow`. Both run the files named
 * `*.property.test.ts`, and only these may use it (an architecture rule).
 */
export const randomRuns = (whole: number): number => (process.env['COUNTERSIGN_TESTS'] === 'fast' ? Math.ceil(whole / 10) : whole)
