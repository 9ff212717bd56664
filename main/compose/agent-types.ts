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
  /** Nothing of a folder is read before it is trusted. */
  mayOpen(folder: string): Promise<boolean>
}

export interface AgentTypes {
  /** The types of a folder (a real path), read again; only the built-in ones and the person's if it is not trusted. */
  in(folder: string): Promise<KnownAgentTypes>
  /** The same for a folder that is trusted, through its environment. */
  forProject(folder: string, env: ExecutionEnvironment): Promise<KnownAgentTypes>
}

/** The built-in agent types, the person's and the project's, in this order of precedence. */
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
