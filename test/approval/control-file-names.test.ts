import { wordList } from '../../shared/lib/word-list.ts'
import { expect, it } from 'vitest'
import { isControlFile } from '../../main/approval/control-files.ts'

it.each(
  wordList(`
  opencode.json crush.json .qwen/settings.json .amazonq/rules/a.md .augment/x .trae/rules.md .gitlab-ci.yml .circleci/config.yml
  Jenkinsfile azure-pipelines.yml .github/actions/a/action.yml .Rprofile .pdbrc .irbrc .mvn/jvm.config .pnp.cjs .run/app.run.xml
  .dir-locals-2.el .direnvrc packages/a/.mvn/extensions.xml
`).map((path) => [path]),
)('%s is a control file (X8)', (path) => {
  expect(isControlFile(path.split('/'))).toBe(true)
})

it.each([['src/opencode.ts'], ['run/app.xml'], ['docs/jenkinsfile.md'], ['mvn/jvm.config']])('%s is not a control file', (path) => {
  expect(isControlFile(path.split('/'))).toBe(false)
})
