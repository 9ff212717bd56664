import type { Client, Handlers } from '../wire/contract.ts'
import { agentsApi } from '../agents/other-agents-api.ts'
import { appApi } from './app.ts'
import { approvalsApi } from './approvals.ts'
import { bringInApi } from './bring-in.ts'
import { changesApi } from './changes/changes.ts'
import { doctorApi } from './doctor.ts'
import { filesApi } from './files.ts'
import { gitApi } from './changes/git.ts'
import { historyApi } from './history.ts'
import { hooksApi } from './hooks.ts'
import { mcpApi } from './mcp.ts'
import { placesApi } from '../places/places-api.ts'
import { portsApi } from '../places/ports-api.ts'
import { publishApi } from './changes/publish.ts'
import { replayApi } from './replay.ts'
import { reviewApi } from './changes/review.ts'
import { rulesApi } from './rules.ts'
import { sessionsApi } from './sessions.ts'
import { settingsApi } from './settings.ts'
import { storageApi } from './storage.ts'
import { transferApi } from './transfer.ts'
import { terminalsApi } from './terminals.ts'
import { updatesApi } from './updates.ts'
import { workspaceApi } from './workspace.ts'

/** Everything that a window can request from the app, as one value. Both sides derive their types from it. */
export const contract = {
  agents: agentsApi,
  app: appApi,
  approvals: approvalsApi,
  bringIn: bringInApi,
  changes: changesApi,
  doctor: doctorApi,
  files: filesApi,
  git: gitApi,
  history: historyApi,
  hooks: hooksApi,
  mcp: mcpApi,
  places: placesApi,
  ports: portsApi,
  publish: publishApi,
  replay: replayApi,
  review: reviewApi,
  rules: rulesApi,
  sessions: sessionsApi,
  settings: settingsApi,
  storage: storageApi,
  terminals: terminalsApi,
  transfer: transferApi,
  updates: updatesApi,
  workspace: workspaceApi,
} as const

export type AppContract = typeof contract
export type AppClient = Client<AppContract>
export type AppHandlers = Handlers<AppContract>
