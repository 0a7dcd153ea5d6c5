// Loaded before every program of package.json. Plain JavaScript, so that an older Node can read it and
// say in one line what is missing, instead of failing on the first TypeScript file.
const NEEDED = 24;

const [major] = process.versions.node.split('.');
if (Number(major) < NEEDED) {
  console.error(
    `curbside: this is Node ${process.versions.node}, not Node ${NEEDED}: run npm ci without --ignore-scripts, which installs it, or install it yourself`,
  );
  process.exit(1);
}
