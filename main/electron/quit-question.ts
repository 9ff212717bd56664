import type { QuitAnswer, RunningWork } from '../../shared/api/app.ts'
import type { QuitQuestions } from '../quit-questions.ts'
import { BrowserWindow, type MessageBoxOptions, type MessageBoxReturnValue, dialog } from 'electron'

/** More lines than this do not fit into a dialog on a small screen. */
const MAX_LINES = 8

/**
 * Asks what to do with the running work: in the page, or with the system's dialog if no window is visible or the page hangs. If no window has
 * the focus, a visible one gets it. When `over` aborts, the question closes and the answer is `cancel`.
 */
export async function askBeforeQuit(
  work: readonly RunningWork[],
  platform: string,
  questions: QuitQuestions,
  over: AbortSignal,
): Promise<QuitAnswer> {
  const visible = BrowserWindow.getAllWindows().find((window) => window.isVisible() && !window.isMinimized())
  if (visible === undefined) return askWithDialog(work, platform, over)
  if (BrowserWindow.getFocusedWindow() === null) visible.focus()
  return (await questions.ask({ work, wayBack: wayBack(platform) }, over)) ?? askWithDialog(work, platform, over)
}

async function askWithDialog(work: readonly RunningWork[], platform: string, signal: AbortSignal): Promise<QuitAnswer> {
  const lines = work.slice(0, MAX_LINES).map(({ title, what }) => `${title}: ${what}`)
  const more = work.length - lines.length
  const { response } = await showQuestion({
    type: 'question',
    message: work.length === 1 ? 'Work is still running' : `${work.length} things are still running`,
    detail: [
      ...lines,
      ...(more > 0 ? [`and ${more} more`] : []),
      '',
      `Keep running: the window closes. ${wayBack(platform)}`,
      '',
      'Stop and quit: commands end now, and the answer that is coming is dropped. All sessions and drafts are kept, and each can go on later.',
    ].join('\n'),
    buttons: ['Keep running', 'Stop and quit', 'Cancel'],
    defaultId: 0,
    cancelId: 2,
    signal,
  })
  return response === 0 ? 'keep' : response === 1 ? 'stop' : 'cancel'
}

function wayBack(platform: string): string {
  return platform === 'darwin'
    ? 'Click the icon in the Dock to come back.'
    : 'To come back, start Countersign again, or use its icon in the system tray if your desktop has one. The icon shows how many sessions need you.'
}

/** A dialog of a hidden window could not be seen, so only a visible window is the dialog's parent. */
export function showQuestion(options: MessageBoxOptions, over = BrowserWindow.getFocusedWindow()): Promise<MessageBoxReturnValue> {
  return over?.isVisible() ? dialog.showMessageBox(over, options) : dialog.showMessageBox(options)
}
