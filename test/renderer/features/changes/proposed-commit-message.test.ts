import { expect, test } from 'vitest'
import { pushCommand } from '../../../../renderer/features/changes/git/git-files.ts'
import { proposedCommitMessage } from '../../../../renderer/features/changes/git/proposed-commit-message.ts'

test.each([
  [{ title: 'Dates', request: 'refuse dates that do not exist. Then test it', files: ['a.ts'] }, 'Refuse dates that do not exist'],
  [{ title: 'Refuse impossible dates', request: 'go on', files: ['a.ts'] }, 'Refuse impossible dates'],
  [
    { title: 'Dates', request: 'Rename it in all places\n\nsrc/a.ts, line 4:\n> x', files: ['a.ts', 'b.ts'] },
    'Rename it in all places\n\n- a.ts\n- b.ts',
  ],
  [{ title: '', request: null, files: ['src/a.ts', 'b.ts'] }, 'Change a.ts and 1 more\n\n- src/a.ts\n- b.ts'],
])('a commit message is proposed from the request, the title and the files (%#)', (proposal, message) => {
  expect(proposedCommitMessage(proposal)).toBe(message)
})

test('the subject has at most 72 characters, cut between words, and at most 20 files are listed', () => {
  const request = `please change ${'every single word '.repeat(10)}`
  const [subject = '', , ...files] = proposedCommitMessage({
    title: '',
    request,
    files: Array.from({ length: 25 }, (_, at) => `${at}.ts`),
  }).split('\n')
  expect(subject.length).toBeLessThanOrEqual(72)
  expect(subject).toMatch(/(?:every|single|word)…$/u)
  expect(files).toHaveLength(21)
  expect(files.at(-1)).toBe('- and 5 more')
})

test.each([
  ['main', null, 'git push --set-upstream origin main'],
  ['main', 'origin/main', 'git push'],
  ['a;rm$IFS-rf', null, "git push --set-upstream origin 'refs/heads/a;rm$IFS-rf:refs/heads/a;rm$IFS-rf'"],
  ["it's", null, String.raw`git push --set-upstream origin 'refs/heads/it'\''s:refs/heads/it'\''s'`],
  ['--mirror', null, "git push --set-upstream origin 'refs/heads/--mirror:refs/heads/--mirror'"],
  ['+main', null, "git push --set-upstream origin 'refs/heads/+main:refs/heads/+main'"],
])('the push command names the branch %s as one word that git reads as a branch', (branch, upstream, command) => {
  expect(pushCommand(branch, upstream)).toBe(command)
})
