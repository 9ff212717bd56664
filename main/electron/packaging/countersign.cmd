@echo off
rem Opens Countersign, or runs its agent in this terminal, without a window: countersign agent "task".
setlocal
set "APP=%~dp0..\.."
if /i "%~1"=="agent" goto agent
start "" "%APP%\Countersign.exe" %*
exit /b 0
:agent
rem On Windows the program can write to this terminal only when it runs as Node.
set ELECTRON_RUN_AS_NODE=1
"%APP%\Countersign.exe" "%~dp0agent.mjs" %*
exit /b %ERRORLEVEL%
