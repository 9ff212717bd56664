import { shell } from 'electron'
import type { Host } from '../host.ts'
import { outsideLink } from '../http/outside-link.ts'
import { showQuestion } from './quit-question.ts'

/**
 * Opens https addresses in the user's browser. First asks the user, showing the host, because the model chooses a link's text, which may
 * not match its address. Only one question is open at a time, so that a page cannot flood the user with them.
 */
export function createLinkOpener(): Host['openLink'] {
  let asking = false
  return async (url) => {
    const checked = outsideLink(url)
    if (!checked.ok) return { opened: false, why: checked.failure }
    if (asking) return { opened: false, why: 'The question about another address is still open.' }
    asking = true
    try {
      return (await agreed(checked.value)) ? await handOver(checked.value.href) : { opened: false, why: null }
    } finally {
      asking = false
    }
  }
}

async function agreed({ host, href }: { readonly host: string; readonly href: string }): Promise<boolean> {
  const { response } = await showQuestion({
    type: 'question',
    message: `Open ${host} in your browser?`,
    detail: href,
    buttons: ['Open', 'Cancel'],
    defaultId: 1,
    cancelId: 1,
  })
  return response === 0
}

async function handOver(href: string): Promise<{ readonly opened: boolean; readonly why: string | null }> {
  try {
    await shell.openExternal(href)
    return { opened: true, why: null }
  } catch {
    return { opened: false, why: 'The system found no program for the address.' }
  }
}
