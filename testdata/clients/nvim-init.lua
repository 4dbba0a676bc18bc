-- The configuration of a user of the plugin: nvim -u nvim-init.lua, with its folder and the program in PLUGIN and SKILL_LS.
vim.opt.runtimepath:prepend(os.getenv("PLUGIN"))
require("skill_ls").setup({ cmd = { os.getenv("SKILL_LS"), os.getenv("SKILL_LS_ARGUMENT") or "--stdio" } })
