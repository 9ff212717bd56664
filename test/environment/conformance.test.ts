import { createLocalExecutionEnvironment } from '../../main/environment/local.ts'
import { logging } from '../../main/environment/logging.ts'
import { executionEnvironmentConformance } from '../conformance/execution-environment.ts'
import { tempFolder } from './support.ts'

executionEnvironmentConformance('local', () => createLocalExecutionEnvironment(tempFolder()))
executionEnvironmentConformance('local without ripgrep', () => createLocalExecutionEnvironment(tempFolder(), { ripgrep: null }))
executionEnvironmentConformance('logging over local', () => logging(createLocalExecutionEnvironment(tempFolder()), () => {}))
