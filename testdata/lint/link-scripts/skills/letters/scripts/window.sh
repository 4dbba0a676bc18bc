#!/bin/bash
true
