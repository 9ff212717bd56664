import { memoryWire } from '../../support/memory-wire.ts'
import { wireConformance } from '../../conformance/wire.ts'

wireConformance('memory wire', () => {
  const [page, main] = memoryWire()
  return Promise.resolve({
    page,
    main,
    dispose: () => {
      page.close()
      return Promise.resolve()
    },
  })
})
