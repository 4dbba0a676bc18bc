-- Drives the server from Neovim: nvim --headless -u NONE -i NONE -n -c 'luafile nvim.lua', with the program and
-- the folder in SKILL_LS and FOLDER. Prints what came, a line each.
local function say(...) io.stdout:write(string.format(...) .. "\n") end

local function wait(what, condition)
  if not vim.wait(20000, condition, 5) then
    say("waited in vain for %s", what)
    vim.cmd("cquit 1")
  end
end

local folder = os.getenv("FOLDER")
vim.cmd("edit " .. folder .. "/skills/alpha/SKILL.md")
local id = vim.lsp.start_client({ name = "skill-ls", cmd = { os.getenv("SKILL_LS"), "--stdio" }, root_dir = folder })
vim.lsp.buf_attach_client(0, id)

local function diagnostics()
  for _, d in ipairs(vim.diagnostic.get(0)) do
    say("diagnostic %s %d:%d", d.code, d.lnum, d.col)
  end
end

local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
  return answers[id].result
end

wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
diagnostics()
local hover = ask("textDocument/hover", { position = { line = 2, character = 3 } })
say("hover %s", hover.contents.value:match("^%*%*(%w+)%*%*"))
local items = ask("textDocument/completion", { position = { line = 2, character = 0 } })
for _, item in ipairs(items.items) do
  if item.label == "license" then say("completion %s", item.label) end
end
vim.api.nvim_buf_set_text(0, 2, 20, 2, 21, { " -" })
wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
say("mended")
vim.lsp.stop_client(id)
wait("the end", function() return vim.lsp.client_is_stopped(id) end)
say("stopped")
vim.cmd("qa!")
