import { meantTools } from '../../shared/tools/catalogue.ts'
import type { ExecutionEnvironment } from '../agent/ports/execution-environment.ts'
import { projectAgentFiles } from '../prompt/project-agent-files.ts'
import { personAgentFiles } from '../settings/person-agent-files.ts'
import { type KnownAgentTypes, knownAgentTypes } from '../subagents/known-agent-types.ts'
import type { Workspaces } from '../workspace/workspaces.ts'

export interface AgentTypesParts {
  readonly workspaces: Pick<Workspaces, 'open'>
  readonly home: string
  readonly dataFolder: string
  /** Whether the folder is trusted. Nothing in a folder is read before that. */
  mayOpen(folder: string): Promise<boolean>
}

export interface AgentTypes {
  /** Reads the types of a folder (a real path) again. If the folder is not trusted, returns only the built-in types and the user's. */
  in(folder: string): Promise<KnownAgentTypes>
  /** Reads the types of a trusted folder through its environment. */
  forProject(folder: string, env: ExecutionEnvironment): Promise<KnownAgentTypes>
}

/** The built-in agent types, the user's, and the project's. If more than one type has the same name, the first in this order is used. */
export function createAgentTypes({ workspaces, home, dataFolder, mayOpen }: AgentTypesParts): AgentTypes {
  const forProject: AgentTypes['forProject'] = async (folder, env) =>
    knownAgentTypes([...personAgentFiles(dataFolder, home), ...(await projectAgentFiles(env, folder))], meantTools)
  return {
    async in(folder) {
      const opened = (await mayOpen(folder)) ? await workspaces.open(folder) : null
      if (!opened?.ok) return knownAgentTypes(personAgentFiles(dataFolder, home), meantTools)
      try {
        return await forProject(opened.value.folder, opened.value.environment)
      } finally {
        await opened.value.close()
      }
    },
    forProject,
  }
}
