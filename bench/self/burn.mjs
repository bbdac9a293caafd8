// Keeps one core busy until its parent goes away.

process.on('disconnect', () => process.exit())
const burn = () => {
  const until = performance.now() + 20
  while (performance.now() < until);
  setImmediate(burn)
}
burn()
