/** Which tool a text speaks of: by the words of the tool's name, as far as the beginnings of words go. */

// In names of tools these say nothing about what is done.
const GENERIC: ReadonlySet<string> = new Set(['git', 'api', 'get', 'the', 'tool', 'app', 'mcp', 'via', 'and', 'for']);
const STEM = 4;
const SHORTEST = 3;

/** `delete` and `deleting`, `repo` and `repositories` begin alike. */
export function stemsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  return new Set(words.filter(({ length }) => length >= SHORTEST).map((word) => word.slice(0, STEM)));
}

function stemsOfTool(name: string): readonly string[] {
  return [...stemsOf(name)].filter((stem) => !GENERIC.has(stem));
}

/** Whether a text, by its stems, speaks of what a tool does: of at least half of the words of its name. */
export function speaksOf(stems: ReadonlySet<string>, tool: string): boolean {
  const wanted = stemsOfTool(tool);
  const met = wanted.filter((stem) => stems.has(stem)).length;
  return met > 0 && met * 2 >= wanted.length;
}
