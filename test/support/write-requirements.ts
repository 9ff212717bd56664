import { writeFileSync } from 'node:fs'
import { REQUIREMENTS_PAGE, requirementsPage } from './requirements-page.ts'

/** `npm run requirements`: writes the list of requirements and the tests that cite them. */
writeFileSync(REQUIREMENTS_PAGE, requirementsPage())
