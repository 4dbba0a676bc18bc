-- Uses the plugin as a user does, in FOLDER, and prints what came, a line each. With ONLY_MESSAGES the server knows
-- skill/replay alone.
local function say(...) io.stdout:write(string.format(...) .. "\n") end

local notes = {}
vim.notify = function(message) table.insert(notes, message) end

local function wait(what, condition)
  if not vim.wait(30000, condition, 5) then
    say("waited in vain for %s; notes: %s", what, table.concat(notes, "; "))
    vim.cmd("cquit 1")
  end
end

local skill = os.getenv("FOLDER") .. "/.claude/skills/draft/SKILL.md"

local function running() return require("skill_ls.server").clients()[1] end

-- Returns the buffer of a view and its text, once it matches a pattern.
local function view(name, pattern)
  local buf, text
  wait(name .. " with " .. pattern, function()
    buf = vim.fn.bufnr("^skill://" .. name .. "$")
    text = buf > 0 and table.concat(vim.api.nvim_buf_get_lines(buf, 0, -1, false), "\n") or ""
    return text:match(pattern) ~= nil
  end)
  return buf, text
end

local function command(line)
  vim.cmd("silent! only | buffer " .. vim.fn.bufnr(skill))
  vim.cmd(line)
end

local function note(line)
  notes = {}
  command(line)
  wait("a message about " .. line, function() return #notes > 0 end)
  say("%s: %s", line, notes[1])
end

local function messages()
  for _, name in ipairs({ "Simulate", "Clients", "Route photos", "Probe" }) do note("Skill" .. name) end
  command("SkillReplay calls of today.jsonl")
  local _, text = view("replay", "# Replay")
  say("replay of %s", text:match("%S+$"))
end

local function everything()
  command("SkillSimulate")
  local buf, text = view("simulate", "^# Claude Code")
  say("simulate: %s %s, activation %s", vim.bo[buf].filetype, vim.bo[buf].modifiable and "open" or "closed", text:match("## Activation of draft"))
  command("SkillSimulate codex")
  view("simulate", "^# Codex CLI")
  say("simulate codex: %d window more", #vim.api.nvim_list_wins() - 1)

  command("SkillClients")
  buf, text = view("clients", "claude%-code")
  local space = vim.api.nvim_get_namespaces().skill_ls
  say("clients: %s, coloured %s", text:match("draft"), #vim.api.nvim_buf_get_extmarks(buf, space, 0, -1, {}) > 0)
  say("completed %s", table.concat(vim.fn.getcompletion("SkillClients claude-c", "cmdline"), " "))

  command("SkillRoute sort my photos")
  _, text = view("route", "draft")
  say("route: %s", text:match("sort my photos"))

  local answer
  vim.lsp.handlers["window/showMessageRequest"] = function(_, request)
    for _, action in ipairs(request.actions) do
      if action.title == answer then return action end
    end
  end
  answer = "No"
  command("SkillProbe")
  view("probe", "docs")
  say("probe without consent: started %s", vim.loop.fs_stat(os.getenv("MARK")) ~= nil)
  answer = "Once"
  command("SkillProbe docs")
  view("probe", "search")
  say("probe: started %s", vim.loop.fs_stat(os.getenv("MARK")) ~= nil)
  wait("diagnostics", function() return #vim.diagnostic.get(vim.fn.bufnr(skill)) > 0 end)
  say("diagnostic %s", vim.diagnostic.get(vim.fn.bufnr(skill))[1].code)

  if vim.lsp.inlay_hint then
    command("normal! gg")
    wait("hints", function() return #vim.lsp.inlay_hint.get({ bufnr = vim.fn.bufnr(skill) }) > 0 end)
  end

  command("SkillReplay calls of today.jsonl")
  _, text = view("replay", "# Replay")
  say("replay: %s", text:match("removed%-tool"))

  vim.api.nvim_buf_delete(vim.fn.bufnr("^skill://simulate$"), { force = true })
  command("normal! gg")
  wait("lenses", function()
    local buf = vim.fn.bufnr(skill)
    local lenses = vim.lsp.codelens.enable and vim.lsp.codelens.get({ bufnr = buf }) or vim.lsp.codelens.get(buf)
    return #vim.tbl_filter(function(lens) return lens.command or lens.lens end, lenses) > 1
  end)
  vim.ui.select = function(list, options, choose)
    for _, item in ipairs(list) do
      if options.format_item(item):match("^Simulate") then return choose(item) end
    end
  end
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.lsp.codelens.run()
  view("simulate", "^# Claude Code")
  say("lens: simulate")

  command("edit " .. os.getenv("FOLDER") .. "/.mcp.json")
  wait("the second file", function() return #require("skill_ls.server").clients(vim.api.nvim_get_current_buf()) == 1 end)
  say("servers: %d", #require("skill_ls.server").clients())

  vim.cmd("silent checkhealth skill_ls")
  for _, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:match("OK:? skill%-ls") then say("health: the program") end
    if line:match("OK:? it runs in") then say("health: the server") end
    if line:match("ERROR") then say("health: %s", line) end
  end
end

local ok, err = pcall(function()
  vim.cmd("edit " .. os.getenv("FOLDER") .. "/README.md")
  vim.cmd("SkillClients")
  say("%s", notes[1])
  vim.cmd("edit " .. skill)
  wait("the server", running)
  if os.getenv("ONLY_MESSAGES") then messages() else everything() end
end)
if not ok then
  say("%s; notes: %s", err, table.concat(notes, "; "))
  vim.cmd("cquit 1")
end
vim.cmd("qa!")
