// What the page shows first: two skills, one of which most clients lose.

export const sample: Record<string, string> = {
  'skills/brew-tea/SKILL.md': `---
name: brew-tea
description: Brews tea for a meeting: green, black or white. Use when somebody asks for tea, or when guests arrive.
allowed-tools: Read
---

# Brew tea

1. Ask how many guests there are.
2. Look up how long each sort steeps in [the table](references/steeping.md).
3. Boil fresh water.
`,
  'skills/book-room/SKILL.md': `---
name: book-room
description: Books a meeting room and invites the guests. Use it when somebody wants to meet.
---

# Book a room

Ask for the day, the time and the number of guests, then book the smallest room that fits.
`,
};

/** The one that is shown. */
export const opened = 'skills/brew-tea/SKILL.md';
