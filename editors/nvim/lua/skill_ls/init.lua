-- skill-ls in Neovim: require("skill_ls").setup(). See :help skill_ls.
local M = {}

M.defaults = {
  cmd = { "skill-ls", "--stdio" },
  settings = {}, -- as schemas/settings.schema.json of skill-ls has them
  trusted = true, -- false keeps the server from starting MCP servers, whatever the user answers
  patterns = {}, -- Lua patterns of paths that the server is started for besides the usual ones
  code_lens = true,
  inlay_hints = true, -- from Neovim 0.10 on
  capabilities = nil,
  on_attach = nil,
}

-- Starts the server for skills and configurations of MCP servers. options override M.defaults.
function M.setup(options)
  for name in pairs(options or {}) do
    if M.defaults[name] == nil and name ~= "capabilities" and name ~= "on_attach" then
      vim.notify(("skill-ls: setup has no option %q; see :help skill_ls-options"):format(name), vim.log.levels.WARN)
    end
  end
  M.options = vim.tbl_extend("force", M.defaults, options or {})
  require("skill_ls.commands").register()
  require("skill_ls.server").enable(M.options)
end

return M
