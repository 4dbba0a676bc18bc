// The steps of the GitHub action, one a command: install, lint, clients. Settings come from the environment, one value a
// line where there may be several, so that no shell reads them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const env = process.env;
const temp = env.RUNNER_TEMP || tmpdir();
const lines = (text) => (text ?? "").split("\n").map((s) => s.trim()).filter(Boolean);
const record = (file, text) => file && appendFileSync(file, text + "\n");

async function download(url) {
  const answer = await fetch(url);
  if (!answer.ok) {
    throw new Error(`${url}: ${answer.status} ${answer.statusText}; is there such a release?`);
  }
  return Buffer.from(await answer.arrayBuffer());
}

// install downloads the pinned release, holds it against its checksum, and puts its programs into the path.
async function install() {
  const version = env.SKILLLINT_VERSION.replace(/^v/, "");
  const system = { linux: "linux", darwin: "darwin", win32: "windows" }[process.platform];
  const processor = { x64: "amd64", arm64: "arm64" }[process.arch];
  if (!system || !processor) {
    throw new Error(`there are no releases for ${process.platform} on ${process.arch}`);
  }
  const stem = `skill-ls_${version}_${system}_${processor}`;
  const archive = stem + (system === "windows" ? ".zip" : ".tar.gz");
  const base = `${env.SKILLLINT_BASE_URL}/v${version}`;
  const data = await download(`${base}/${archive}`);
  const want = env.SKILLLINT_SHA256 || sumOf(archive, (await download(`${base}/checksums.txt`)).toString());
  const have = createHash("sha256").update(data).digest("hex");
  if (have !== want.toLowerCase()) {
    throw new Error(`${archive} has the SHA-256 ${have}, not ${want}: it is not the release that was meant`);
  }
  const folder = path.join(temp, "skilllint");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, archive), data);
  // Windows has a tar that reads zip files; that of Git, which is earlier in the path, does not.
  const tar = system === "windows" ? path.join(env.SystemRoot, "System32", "tar.exe") : "tar";
  run(tar, ["-xf", archive], { cwd: folder });
  record(env.GITHUB_PATH, path.join(folder, stem));
  console.log(`skilllint ${version} is in ${path.join(folder, stem)}`);
}

function sumOf(archive, checksums) {
  const line = checksums.split("\n").find((s) => s.endsWith("  " + archive));
  if (!line) {
    throw new Error(`${archive} is not in checksums.txt`);
  }
  return line.split(" ")[0];
}

// run runs a program, and fails when it cannot be started.
function run(program, args, options = {}) {
  const result = spawnSync(program, args, { stdio: "inherit", maxBuffer: 1 << 28, ...options });
  if (result.error) {
    throw new Error(`${program}: ${result.error.message}`);
  }
  if (result.signal) {
    throw new Error(`${program} was ended by ${result.signal}`);
  }
  return result;
}

// lint prints the findings, where the problem matcher turns them into annotations, and writes them as SARIF. The status is
// kept for the last step, so that the steps between run whatever was found.
function lint() {
  const matcher = path.join(path.dirname(fileURLToPath(import.meta.url)), "matcher.json");
  const what = [...lines(env.SKILLLINT_ARGS), "--", ...lines(env.SKILLLINT_PATHS)];
  console.log(`::add-matcher::${matcher}`);
  const { status } = run("skilllint", ["lint", "--color=never", `--fail-on=${env.SKILLLINT_FAIL_ON}`, ...what]);
  console.log("::remove-matcher owner=skilllint::\n::remove-matcher owner=skilllint-info::");
  record(env.GITHUB_OUTPUT, `status=${status}`);
  if (status > 1) {
    return; // the message says what is wrong with the command line, the configuration or the program
  }
  const sarif = path.join(temp, "skilllint.sarif");
  run("skilllint", ["lint", "--format=sarif", "--fail-on=never", "--quiet", `--output=${sarif}`, ...what]);
  record(env.GITHUB_OUTPUT, `sarif=${sarif}`);
}

const mark = "<!-- skilllint clients -->";
const longest = 65000; // characters; GitHub takes 65,536

// clients writes the table of clients into the summary of the job and, if wanted, into one comment on the pull request.
async function clients() {
  const { status, stdout } = run("skilllint", ["clients", "--format=markdown", "--quiet", "--", ...lines(env.SKILLLINT_PATHS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) {
    return; // the step before has told why
  }
  let text = `${mark}\n${stdout}`;
  if (text.length > longest) {
    text = text.slice(0, text.lastIndexOf("\n", longest)) + "\n\nThe rest is too long for a comment; the job's summary has it.\n";
  }
  record(env.GITHUB_STEP_SUMMARY, stdout.toString());
  if (env.SKILLLINT_COMMENT === "true") {
    await comment(text);
  }
}

// comment updates the comment of an earlier run, or writes the first.
async function comment(body) {
  const event = env.GITHUB_EVENT_PATH ? JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8")) : {};
  const number = event.pull_request?.number;
  if (!number) {
    console.log("this is no pull request: no comment is written");
    return;
  }
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/issues`;
  for (let page = 1; ; page++) {
    const have = await api("GET", `${repository}/${number}/comments?per_page=100&page=${page}`);
    const old = have.find((c) => c.body?.startsWith(mark));
    if (old) {
      await api("PATCH", `${repository}/comments/${old.id}`, { body });
      return;
    }
    if (have.length < 100) {
      break;
    }
  }
  await api("POST", `${repository}/${number}/comments`, { body });
}

async function api(method, url, body) {
  const answer = await fetch(url, {
    method,
    body: body && JSON.stringify(body),
    headers: { authorization: `Bearer ${env.GITHUB_TOKEN}`, accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
  });
  if (!answer.ok) {
    throw new Error(`${method} ${url}: ${answer.status} ${answer.statusText}; may the job write comments (permissions: pull-requests: write)?`);
  }
  return answer.json();
}

const steps = { install, lint, clients };
try {
  await steps[process.argv[2]]();
} catch (error) {
  console.log(`::error title=skilllint::${error.message}`);
  process.exit(3);
}
