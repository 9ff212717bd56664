import { act, type ReactNode } from 'react'
import { expect, test } from 'vitest'
import { createStore } from 'zustand'
import { type GitWork, useGit } from '../../../../renderer/features/changes/git/use-git.ts'
import type { Desk } from '../../../../renderer/state/desk.ts'
import { DeskContext } from '../../../../renderer/state/desk-context.ts'
import type { Done } from '../../../../shared/api/sessions.ts'
import { SESSION } from '../../../agent/support/events.ts'
import { openPage } from '../../support/open-page.tsx'

const REFUSED = { code: 'git', what: 'The hook failed.', kept: 'Nothing changed.', todo: 'Mend it.' }

/** A review of a folder without a repository. `fails`: whether requests fail because the connection is lost. */
async function openGit() {
  const { show, window } = openPage()
  const server = { fails: false, reads: 0 }
  const client = {
    git: {
      status: async () => {
        server.reads++
        if (server.fails) throw new Error('The connection was lost.')
        return { kind: 'none' }
      },
      commit: async (): Promise<Done> => ({ ok: false, trouble: REFUSED }),
    },
  }
  const state = createStore<{ readonly kind: string }>(() => ({ kind: 'open' }))
  let last: GitWork | undefined
  function Reader(): ReactNode {
    last = useGit(SESSION, null)
    return null
  }
  await show(
    <DeskContext value={{ connection: { state, client, firstClient: async () => client } } as unknown as Desk}>
      <Reader />
    </DeskContext>,
  )
  return {
    server,
    focusWindow: () => act(async () => void window.dispatchEvent(new window.Event('focus'))),
    connection: (kind: string) => act(async () => state.setState({ kind })),
    commit: () => act(async () => void (await last?.commit('message'))),
    trouble: () => last?.trouble?.what ?? null,
  }
}

test('an error of reading the repository is shown until it is read again', async () => {
  const git = await openGit()
  git.server.fails = true
  await git.focusWindow()
  expect(git.trouble()).toContain('The repository was not read')
  git.server.fails = false
  await git.focusWindow()
  expect(git.trouble()).toBeNull()
})

test('the repository is read again after a lost connection has been restored', async () => {
  const git = await openGit()
  git.server.fails = true
  await git.focusWindow()
  await git.connection('lost')
  git.server.fails = false
  git.server.reads = 0
  await git.connection('open')
  expect([git.server.reads, git.trouble()]).toEqual([1, null])
})

test('the error of a commit stays on screen when the repository is read again', async () => {
  const git = await openGit()
  await git.commit()
  await git.focusWindow()
  expect(git.trouble()).toBe('The hook failed.')
})
