/** The text of the plugin for OpenCode, which starts the hook for each event. It loads nothing of Sallyport. */
export function pluginOf(command: string): string {
  return `// Written by "sallyport init", and deleted by "sallyport init --undo".
import { spawn } from "node:child_process"

const COMMAND = ${JSON.stringify(command)}
${PLUGIN}`;
}

/** The command in a plugin that \`init\` wrote. */
export function commandOfPlugin(text: string): string | undefined {
  const [, json = '""'] = /^const COMMAND = (".*")$/m.exec(text) ?? [];
  const command: unknown = JSON.parse(json);
  return typeof command === 'string' && text === pluginOf(command) ? command : undefined;
}

const PLUGIN = `const LAST_MS = 15_000

/** The answer to an event. An error blocks the call, unless it should pass when it cannot be checked. */
async function answerTo(event) {
  try {
    return JSON.parse(await run(JSON.stringify(event)))
  } catch {
    if (COMMAND.endsWith(" allow")) return {}
    throw new Error("Sallyport could not check this. Run \\"sallyport doctor\\" to see why.")
  }
}

function run(input) {
  return new Promise((resolve, reject) => {
    const child = spawn(COMMAND, { shell: true, stdio: ["pipe", "pipe", "ignore"], timeout: LAST_MS })
    let output = ""
    child.stdout.on("data", (chunk) => (output += chunk))
    child.stdin.on("error", () => {})
    child.on("error", reject)
    child.on("close", () => resolve(output))
    child.stdin.end(input)
  })
}

export const Sallyport = async ({ client, directory }) => {
  const parents = new Map()
  const commands = new Map()

  async function parentOf(id) {
    if (!parents.has(id)) {
      const { data } = await client.session.get({ path: { id } })
      if (data === undefined) throw new Error("Sallyport does not know this session.")
      parents.set(id, data.parentID)
    }
    return parents.get(id)
  }

  /** Agents that an agent starts have sessions of their own. */
  async function rootOf(id) {
    const parent = await parentOf(id)
    return parent === undefined ? id : rootOf(parent)
  }

  async function send(sessionID, event) {
    return answerTo({ session: await rootOf(sessionID), directory, ...event })
  }

  return {
    "command.execute.before": async ({ command, arguments: given, sessionID }) => {
      commands.set(sessionID, \`/\${command} \${given}\`)
    },
    "chat.message": async ({ sessionID }, { parts }) => {
      // The model writes the messages of agents that it starts.
      if ((await parentOf(sessionID)) !== undefined) return
      const texts = parts.filter((part) => part.type === "text")
      const command = commands.get(sessionID)
      commands.delete(sessionID)
      const typed = texts.filter((part) => !part.synthetic).map((part) => part.text)
      const attached = texts.filter((part) => part.synthetic).map((part) => part.text)
      await send(sessionID, { event: "prompt", text: command ?? typed.join("\\n") })
      if (command !== undefined) await send(sessionID, { event: "content", tool: "command", text: typed.join("\\n") })
      if (attached.length > 0) await send(sessionID, { event: "content", tool: "attached-file", text: attached.join("\\n") })
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
      const { deny } = await send(sessionID, { event: "call", tool, call: callID, args })
      if (deny !== undefined) throw new Error(deny)
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, given) => {
      const isText = typeof given.output === "string"
      const result = isText ? given.output : given.content
      const answer = await send(sessionID, { event: "result", tool, call: callID, args, result })
      const notes = answer.context === undefined ? [] : [answer.context]
      if (isText) given.output = [...notes, answer.result ?? given.output].join("\\n\\n")
      else if (Array.isArray(given.content)) {
        const content = answer.result === undefined ? given.content : [{ type: "text", text: answer.result }]
        given.content = [...notes.map((text) => ({ type: "text", text })), ...content]
      }
    },
    event: async ({ event }) => {
      if (event.type !== "session.deleted") return
      await answerTo({ session: event.properties.info.id, directory, event: "end" }).catch(() => undefined)
    },
  }
}
`;
