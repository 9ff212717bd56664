import type { KnipConfig } from 'knip'

/**
 * `npm run unused` lists files, exports and packages that nothing uses. It runs knip twice. The first run covers everything. The second run
 * (`--production`, with the patterns that end in `!`) leaves out the tests, so it lists code that only tests use. A function that is used
 * in its own file may be exported for a test.
 */
const config: KnipConfig = {
  entry: [
    'main/{index,serve,run,agent-entry}.ts!',
    'main/{bootstrap,preflight}.mjs!',
    // These files are started by file name: as threads, in build steps, and by electron-builder.
    'main/tools/documents/document-worker.ts!',
    'main/blame/blame-worker.ts!',
    'main/environment/comparison/comparison-worker.ts!',
    'main/history/history-worker.ts!',
    'main/host-process/host-process.ts!',
    // Layers and other machines start it.
    'main/host-process/near/{local-host,start-host-process}.ts!',
    'main/environment/search/search-worker.ts!',
    'main/environment/symbols/symbol-worker.ts!',
    'main/environment/copy/changes/tree-worker.ts!',
    'main/store/cleaning/storage-worker.ts!',
    'main/store/doctor/doctor-worker.ts!',
    'main/bootstrap/build-agent.mjs!',
    'main/electron/packaging/{before-pack,after-pack,agent,sign-feed}.mjs!',
    'main/{rolldown,agent-entry}.config.ts!',
    'preload/index.ts!',
    'preload/rolldown.config.ts!',
    // This file replaces package modules that the page does not need (`renderer/vite.config.ts`).
    'renderer/ui/diff/colours/unused-library-parts.ts!',
    // Tests start these files by file name.
    'test/bench/{bench,built-host-process,model-thread}.ts',
    'test/{driver/driver,live/live,run/run}.ts',
    'test/host-process/near-side.ts',
    'test/store/children/*.ts',
    'test/kills/children/*.ts',
    'test/layers/sequences/app-process.ts',
    'test/odd-places/jumping-clock.ts',
    'test/fixtures/foreign-agents/fake-agent.mjs',
    'test/kills/kill-at-write.ts',
    'test/fixtures/mcp/hostile-server.mjs',
    // Files of other agents' users, which the tests use unchanged.
    'test/fixtures/foreign/**/*.{ts,mjs}',
    'test/{e2e/support/desktop/start-desktop,electron/{start-agent,start-built-entry,start-updating},http/page-entry,providers/support/told-times}.ts',
    'test/support/desk-harness/samples.tsx',
    'test/gallery/gallery.tsx',
    // The types of the seed plans, as a host has them.
    'test/embed/seed-types.ts',
  ],
  project: ['{main,preload,renderer,shared}/**/*.{ts,tsx,mjs,css}!', 'test/**/*.{ts,tsx,mjs}'],
  playwright: { config: 'test/e2e/playwright.config.ts' },
  vitest: { config: 'test/vitest*.config.ts' },
  vite: { config: 'renderer/vite.config.ts' },
  // Style sheets refer to font files and to the styles from which they compose.
  compilers: {
    css: (text) =>
      [...text.matchAll(/(?:@import|url\(|composes: [^;]* from)\s*['"]([^'"]+)['"]/g)].map(([, path]) => `import '${path}'`).join('\n'),
  },
  // These packages contain programs that are started through the shell or by path.
  ignoreDependencies: [
    '@modelcontextprotocol/server-everything',
    '@modelcontextprotocol/server-filesystem',
    '@modelcontextprotocol/server-memory',
  ],
  ignoreBinaries: [
    'bwrap',
    'mkfifo',
    'mount',
    'podman',
    'script',
    'setpriv',
    'ssh-add',
    'ssh-agent',
    'ssh-keygen',
    'truncate',
    'umount',
    'unshare',
  ],
  ignoreExportsUsedInFile: process.argv.includes('--production'),
}

export default config
