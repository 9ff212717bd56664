import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Page, expect } from 'playwright/test'
import { missingPart } from '../../../main/environment/copy/copy-support.ts'
import { type ScriptedModel, type Script, startScriptedModel } from '../../support/scripted-model.ts'
import { drawnIn } from './desktop/drawn-page.ts'
import { type RunningDesktop, startDesktop } from './desktop/running-desktop.ts'
import { test as base } from './page-test.ts'
import { type DeskOptions, type RunningDesk, startDesk, temporary } from './running-desk.ts'

export interface DeskFixtures {
  /** The shell that `desk` starts. The project `desktop-wire` starts the desktop shell, and draws its window in the test's page. */
  readonly shell: 'browser' | 'desktop'
  /**
   * `off`: commands run directly in the folder and are approved by their text, as on a machine without a sandbox. Specs about such machines
   * set `off`. copies.spec.ts covers `auto`.
   */
  readonly sandbox: 'auto' | 'off'
  /** The data folder and the project folder of this test. */
  readonly places: { readonly data: string; readonly project: string }
  /** Writes a file of the project and returns its path. */
  readonly put: (path: string, text: string) => Promise<string>
  /** Starts a model that follows a script. Every app started afterwards gets its address and a key in the environment. */
  readonly model: (script: Script) => Promise<ScriptedModel>
  /** Starts the desktop shell, and draws its window in the test's page. */
  readonly desktop: (options?: Partial<DeskOptions>) => Promise<RunningDesktop>
  /** Starts the shell on this test's data. The shell is stopped with the test. */
  readonly desk: (options?: Partial<DeskOptions>) => Promise<RunningDesk>
  /**
   * The standard beginning of a test: starts a model with this script and an app that uses it, opens this test's folder in the page, and
   * sends the first request if there is one. `env` returns the environment that makes the app use this model. It can select a provider
   * other than the default one.
   */
  readonly opened: (script: Script, request?: string, env?: typeof modelEnv) => Promise<OpenedDesk>
}

interface OpenedDesk extends RunningDesk {
  readonly scripted: ScriptedModel
}

/** Tests with a real shell process, a real Chromium and real folders. Only the model is scripted. */
export const test = base.extend<DeskFixtures>({
  shell: ['browser', { option: true }],
  sandbox: ['auto', { option: true }],
  places: async ({}, use) => {
    const data = temporary('data')
    const project = temporary('project')
    await use({ data: data.path, project: project.path })
    await Promise.all([data.remove(), project.remove()])
  },
  put: async ({ places }, use) => {
    await use(async (path, text) => {
      const file = join(places.project, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
      return file
    })
  },
  model: async ({}, use) => {
    const started: ScriptedModel[] = []
    await use(async (script) => {
      const model = await startScriptedModel(script)
      started.push(model)
      return model
    })
    await Promise.all(started.map((model) => model.close()))
  },
  desktop: async ({ page, places, sandbox }, use) => {
    const started: RunningDesktop[] = []
    await use(async (options = {}) => {
      const desktop = await startDesktop({ data: places.data, sandbox, ...options }, page)
      started.push(desktop)
      return desktop
    })
    await Promise.all(started.map((desktop) => desktop.kill9()))
    expect(
      started.flatMap(({ violations }) => violations),
      'what the page’s content policy has blocked',
    ).toEqual([])
  },
  desk: async ({ places, sandbox, shell, desktop }, use) => {
    const started: RunningDesk[] = []
    await use(async (options = {}) => {
      if (shell === 'desktop') return desktop(options)
      const desk = await startDesk({ data: places.data, sandbox, ...options })
      started.push(desk)
      return desk
    })
    await Promise.all(started.map((desk) => desk.kill9()))
  },
  opened: async ({ page, places, model, desk }, use) => {
    await use(async (script, request, env = modelEnv) => {
      const scripted = await model(script)
      const running = await desk({ env: env(scripted) })
      await page.goto(running.address)
      await openProject(page, places.project)
      if (request !== undefined) await send(page, request)
      return { ...running, scripted }
    })
  },
})

const support = await missingPart()
/** Whether commands can run in copies on this machine. CI fails if they cannot. */
export const hasCopies = support.kind === 'present'

/**
 * Skips a test, or the tests of a file or group, if commands cannot run in copies. Only Linux with bubblewrap has copies. The reason in
 * the report says what is missing.
 */
export function needsCopies(): void {
  // What these tests show happens only in copies. Tests of what users see without copies set `sandbox: 'off'` and run everywhere.
  test.skip(support.kind === 'absent', support.kind === 'absent' ? support.reason : undefined)
}

export { expect }

/** Returns the environment of an app that uses a scripted model. */
export function modelEnv(model: ScriptedModel): Record<string, string> {
  return { ANTHROPIC_API_KEY: 'sk-test-canary-0123456789', ANTHROPIC_BASE_URL: model.url }
}

/**
 * Opens a folder by its path, or on the desktop with the system's dialog, and trusts it. It uses keys, which work before a dialog's animation has ended. Resolves when the composer of
 * a new session is shown.
 */
export async function openProject(page: Page, folder: string): Promise<void> {
  const desktop = drawnIn(page)
  desktop?.give({ kind: 'chooses_folder', folder })
  // The button is used, because Playwright waits for a button, while a key has no effect before the first frame.
  await page.getByRole('button', { name: 'Open a folder' }).last().press('Enter')
  if (desktop === null) {
    const path = page.getByRole('combobox', { name: 'Path of the folder' })
    await path.fill(folder)
    await path.press('Enter')
  }
  await page.getByRole('button', { name: 'Trust and open' }).press('Enter')
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
}

export async function send(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text)
  await page.keyboard.press('Enter')
}
