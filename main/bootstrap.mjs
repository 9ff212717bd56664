/**
 * What `npm start` and `npm test` run: plain JavaScript without dependencies, for any Node from 18 on. It sets up what is
 * missing, says what it does, and hands over to the Node that the project brings along. This first file keeps to syntax that
 * much older versions understand too, so that they can still say what is wrong.
 */
if (Number(process.versions.node.split('.')[0]) < 18) {
  console.error(
    'Countersign needs Node 18 or newer to set itself up; this is ' +
      process.version +
      '. Install a current Node and run the command again.',
  )
  process.exitCode = 1
} else {
  import('./bootstrap/cli.mjs').then(
    (cli) => cli.run(process.argv.slice(2)),
    (error) => {
      console.error(error)
      process.exitCode = 1
    },
  )
}
