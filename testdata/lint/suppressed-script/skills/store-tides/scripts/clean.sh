#!/bin/sh
# skilllint-disable-next-line security/destruction -- the container is thrown away
rm -rf /
rm -rf ~ # skilllint-disable-line security/destruction -- it is the home of nobody
rm -rf /home
