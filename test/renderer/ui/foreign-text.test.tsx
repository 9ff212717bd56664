import { renderToStaticMarkup } from 'react-dom/server'
import type { ReactNode } from 'react'
import { expect, test } from 'vitest'
import { ListRow } from '../../../renderer/ui/frame/list-row.tsx'
import { PaneHead } from '../../../renderer/ui/frame/panes/pane.tsx'
import { MiddlePath } from '../../../renderer/ui/text/middle-path.tsx'
import { Quote, Well } from '../../../renderer/ui/text/well.tsx'
import { ErrorNotice } from '../../../renderer/ui/notices/error-notice.tsx'

const EVIL = 'src/\u202etxt.exe\u200b'

test.each<[string, ReactNode]>([
  ['output', <Well key="w" text={EVIL} />],
  ['a path', <MiddlePath key="p" path={EVIL} />],
  ['a title in a list', <ListRow key="l" title={EVIL} below={EVIL} onPress={() => {}} />],
  ['a title of a pane', <PaneHead key="h" title={EVIL} />],
  ['a note', <Quote key="q">{EVIL}</Quote>],
  ['an error', <ErrorNotice key="e" happened={EVIL} kept={EVIL} todo={EVIL} />],
])('bidi and zero-width characters in %s are replaced by marks', (_, node) => {
  const shown = renderToStaticMarkup(node)
  expect(shown).not.toMatch(/[\u202e\u200b]/)
  expect(shown).toContain('U+202E</mark>')
})
