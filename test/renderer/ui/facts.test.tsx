import { expect, test } from 'vitest'
import { type Fact, Facts } from '../../../renderer/ui/notices/facts.tsx'
import { openPage } from '../support/open-page.tsx'

test('facts with equal terms are all removed when they no longer apply', async () => {
  const { page, show } = openPage()
  const why: Fact = { term: 'Why it asks', fact: 'The mode asks.' }
  const folders: readonly Fact[] = ['a', 'b'].map((name) => ({ term: 'Folder', fact: `${name} is created` }))
  await show(<Facts facts={[...folders, why]} />)
  await show(<Facts facts={[why]} />)
  expect([...page.querySelectorAll('dd')].map(({ textContent }) => textContent)).toEqual(['The mode asks.'])
})
